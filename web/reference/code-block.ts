import { jsonNodes } from './json-view.ts';
import { icon, make, replaceContent } from './make.ts';

export type Language = 'json' | 'shell' | 'javascript' | 'text';

/** Code with a button that copies it. `label` says what it is, to those who do not see where it stands. */
export function codeBlock(text: string, language: Language, label: string): HTMLElement {
  const code = make('code', {}, language === 'json' ? jsonNodes(text) : colouredNodes(text, language));
  const scroller = make('pre', { tabindex: 0, role: 'group', 'aria-label': label, class: `language-${language}` }, code);
  return make(
    'div',
    { class: 'code' },
    scroller,
    copyButton(() => text, `Copy: ${label}`),
  );
}

function copyButton(text: () => string, label: string): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'copy', 'aria-label': label, title: 'Copy' }, icon('copy'));
  button.addEventListener('click', async () => {
    await copy(text());
    replaceContent(button, icon('done'));
    button.classList.add('copied');
    setTimeout(() => {
      button.classList.remove('copied');
      replaceContent(button, icon('copy'));
    }, 1500);
  });
  return button;
}

/** The clipboard of browsers is for secure pages; elsewhere the old command still does it. */
async function copy(text: string): Promise<void> {
  if (window.isSecureContext && (await written(text))) return;
  const field = make('textarea', { class: 'off-screen', 'aria-hidden': 'true' });
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

const written = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );

const words: Record<'shell' | 'javascript', RegExp> = {
  shell: /('[^']*'|"[^"]*")|(?<=\s|^)(curl|-X|-H|-d|-u|--get)(?=\s)/g,
  javascript: /('[^'\n]*'|`[^`]*`)|\b(const|await|import|from|new|export|function|return|async|if|throw)\b|(\/\/[^\n]*)/g,
};

function colouredNodes(text: string, language: Language): Node[] {
  if (language === 'json' || language === 'text') return [document.createTextNode(text)];
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(words[language])) {
    const [all, string, word] = match;
    nodes.push(document.createTextNode(text.slice(end, match.index)));
    nodes.push(make('span', { class: string !== undefined ? 'j-string' : word !== undefined ? 'j-word' : 'j-comment' }, all));
    end = match.index + all.length;
  }
  nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}
