"""Write a draft: what is asked, every legal choice, and which earlier lines still count."""
