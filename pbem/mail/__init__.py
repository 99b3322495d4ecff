"""Getting files across by mail: bundles out, whatever mail made of them in. No network."""
