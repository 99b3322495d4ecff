"""Speed as ratios: ours and a peer's, run side by side. One module for each benchmark."""
