import { type Credential, credential, onCredential } from './credentials.ts';
import { icon, make, replaceContent } from './make.ts';

/** The first letters tell keys apart and give nothing away. */
function nameOf(chosen: Credential): string {
  if (chosen.kind === 'key') return `API key ${chosen.token.slice(0, 8)}…`;
  if (chosen.kind === 'basic') return `Basic, ${chosen.login}`;
  return chosen.kind === 'session' ? 'Signed-in session' : 'No credentials';
}

/** Says what calls are sent with, and leads to where that is changed. */
export function credentialButton(look: string): HTMLButtonElement {
  const button = make('button', { type: 'button', class: look, 'aria-haspopup': 'dialog' });
  const tell = (): void => {
    replaceContent(button, icon('key'), make('span', {}, nameOf(credential())));
    button.setAttribute('aria-label', `Credentials: ${nameOf(credential())}. Change`);
  };
  button.addEventListener('click', () => document.querySelector<HTMLDialogElement>('dialog#credentials')?.showModal());
  onCredential(tell);
  tell();
  return button;
}
