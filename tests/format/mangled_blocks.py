"""A mail block, and what mail programs make of it."""

import quopri

from pbem.format.mail_block import encode

FILE = b'kind = "turn"\n' + b"".join(b"  %d,\n" % n**4 for n in range(60))
BLOCK = encode([FILE])
MANGLED = {
    "in a letter": f"Hello Ann,\n\n{BLOCK}\n-- \nBo\n",
    "quoted": "".join(f"> > {line}\n" for line in BLOCK.splitlines()),
    "quoted tightly": "".join(f">>{line}\n" for line in BLOCK.splitlines()),
    "quoted with bars": "".join(f"| {line}\n" for line in BLOCK.splitlines()),
    "CRLF": BLOCK.replace("\n", "\r\n"),
    "old Mac": BLOCK.replace("\n", "\r\n\r\n"),
    "byte order mark": "\ufeff" + BLOCK,
    "no-break spaces": BLOCK.replace(" ", "\u00a0").replace("\n", "\u00a0\n"),
    "zero width": BLOCK.replace("A", "A\u200b"),
    "zero width in a mark": BLOCK.replace("PBEM", "P\u200bBEM").replace("check", "che\ufeffck"),
    "shouted check": BLOCK[: BLOCK.index("check")] + BLOCK[BLOCK.index("check") :].upper(),
    "shouted HTML": BLOCK.replace("\n", "<BR>\n&AMP;"),
    "em dashes": BLOCK.replace("-----", "\u2014\u2014-"),
    "one dash": BLOCK.replace("-----", "\u2014"),
    "PGP dashes": BLOCK.replace("-----BEGIN", "- -----BEGIN").replace("-----END", "- -----END"),
    "small letters": BLOCK.replace("BEGIN PBEM", "Begin Pbem"),
    "one line": BLOCK.replace("\n", " "),
    "rewrapped": BLOCK[:100] + "\n" + BLOCK[100:],
    "indented": "".join(f"    {line}\n" for line in BLOCK.splitlines()),
    "equal signs encoded": encode([FILE + b"x"]).replace("=", "=3D"),
    "equal signs encoded small": encode([FILE + b"x"]).replace("=", "=3d"),
    "HTML": BLOCK.replace("\n", "<br>\n").replace(" ", "&nbsp;"),
    "quoted-printable": quopri.encodestring(encode([FILE + b"x"]).encode()).decode(),
}
