"""The mailbox of a profile: its servers, its address, and where its password is stored."""
