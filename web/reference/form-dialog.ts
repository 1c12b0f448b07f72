import { type Child, h, icon } from './dom.ts';

/** A dialog with a heading, a form and a button that closes it. Sending the form closes it, too. */
export function formDialog(title: string, ...content: Child[]): { dialog: HTMLDialogElement; form: HTMLFormElement } {
  const close = h('button.icon-button.dialog-close', { type: 'button', 'aria-label': 'Close' }, icon('close'));
  const form = h('form', { method: 'dialog' }, h('h2', title), close, content);
  const dialog = h('dialog', { 'aria-label': title }, form);
  close.addEventListener('click', () => dialog.close());
  return { dialog, form };
}
