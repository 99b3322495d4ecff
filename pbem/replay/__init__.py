"""Write a whole game as one web page that needs no server and no network."""
