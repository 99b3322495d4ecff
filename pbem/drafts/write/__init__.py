"""Writing a draft: what is asked, every legal choice, and what still counts from before."""
