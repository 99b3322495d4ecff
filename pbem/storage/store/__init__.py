"""Game folders in a store on the network: an object store or another computer, through fsspec."""
