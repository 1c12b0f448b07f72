/** Browsers offer the clipboard API on secure pages only; elsewhere the deprecated command works. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'off-screen';
    field.setAttribute('aria-hidden', 'true');
    // Outside of an open dialog it cannot be selected.
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}
