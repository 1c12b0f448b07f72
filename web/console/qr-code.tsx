import { encode } from 'uqr';
import { Icon } from './components.tsx';
import { download } from './csv.ts';

/** A square for each dark module, as one path. */
function toPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { path: squares.join(''), size };
}

/** Always dark on white: cameras need the contrast. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { path, size } = toPath(text);
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  return (
    <figure class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${text}`} shape-rendering="crispEdges">
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <button
        type="button"
        class="plain"
        onClick={() => download(`${name}.svg`, 'image/svg+xml', markup)}
        aria-label={`Save the QR code of ${name}`}
      >
        <Icon name="download" />
        SVG
      </button>
    </figure>
  );
}
