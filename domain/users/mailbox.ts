const dotlessHosts = new Set(['gmail.com', 'googlemail.com']);

/** The mailbox behind an e-mail address, for comparison: without the tag after a `+`, and at Gmail without dots. */
export function normalizeMailbox(address: string): string {
  const folded = address.trim().normalize('NFC').toLowerCase();
  const at = folded.lastIndexOf('@');
  const [name = ''] = folded.slice(0, at).split('+');
  const host = folded.slice(at + 1);
  return dotlessHosts.has(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
}
