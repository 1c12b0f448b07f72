import { escapeHtml } from './escape-html.ts';

export interface MailBody {
  text: string;
  html: string;
}

/** The same paragraphs for both kinds of reader. What people wrote stays text in both: nothing of it becomes markup. */
export function renderMailBody(title: string, written: readonly string[]): MailBody {
  const paragraphs = written.map((paragraph) => paragraph.replaceAll(/\r\n?/g, '\n'));
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n');
  const head = `<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`;
  return {
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n${head}\n<body>\n${body}\n</body>\n</html>\n`,
  };
}
