"""One module for each page: it reads what commands read, and fills a template."""
