// Files that the page itself has: the browser saves them where it saves downloads.

export function save(parts, name, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000); // the browser may still be reading it
}
