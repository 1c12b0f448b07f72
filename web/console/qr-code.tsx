import { encode } from 'uqr';
import { Icon } from './components.tsx';
import { download } from './csv.ts';

/** The rows of dark squares, with a white border. Null where the text is longer than a QR code can be. */
function squaresOf(text: string): readonly (readonly boolean[])[] | null {
  try {
    return encode(text, { border: 2 }).data;
  } catch {
    return null;
  }
}

/** A square for each dark module, as one path. */
const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');

/** Large enough for print: every module has 16 pixels. */
function savePng(rows: readonly (readonly boolean[])[], name: string): void {
  const module = 16;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = rows.length * module;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  for (const [y, row] of rows.entries())
    for (const [x, isDark] of row.entries()) if (isDark) context.fillRect(x * module, y * module, module, module);
  canvas.toBlob((blob) => blob && download(`${name}.png`, blob));
}

/** Always dark on white: cameras need the contrast. Without a name it cannot be saved. */
export function QrCode({ text, name }: { text: string; name?: string }) {
  const rows = squaresOf(text);
  if (!rows) return <p class="empty">The link is too long for a QR code. Choose a page with a shorter address.</p>;
  const [size, path] = [rows.length, toPath(rows)];
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  return (
    <figure class="qr">
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={name === undefined ? 'QR code' : `QR code of ${text}`}
        shape-rendering="crispEdges"
      >
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      {name !== undefined && (
        <div class="actions">
          <button type="button" class="plain" onClick={() => savePng(rows, name)} aria-label={`Save the QR code of ${name} as PNG`}>
            <Icon name="download" />
            PNG
          </button>
          <button
            type="button"
            class="plain"
            onClick={() => download(`${name}.svg`, new Blob([markup], { type: 'image/svg+xml' }))}
            aria-label={`Save the QR code of ${name} as SVG`}
          >
            <Icon name="download" />
            SVG
          </button>
        </div>
      )}
    </figure>
  );
}
