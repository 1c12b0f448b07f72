import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { isCompletePng } from '../invoices/file-type.ts';

/** The logo of the store. The setting `brand.logo` names it by its hash while it is shown. */
export interface Logo {
  sha256: string;
  png: Buffer;
}

export interface LogoRepository {
  find(): Promise<Logo | null>;
  /** Replaces the former one. */
  save(logo: Logo): Promise<void>;
  remove(): Promise<void>;
}

export const logoSetting = 'brand.logo';

export const maxLogoBytes = 200_000;
export const maxLogoSize = '200 kB';

/** A small file can decode to a picture that fills the memory of a browser. */
const maxPixels = 2000;

/** @throws ApiError rest_body_too_large, rest_unsupported_media_type */
export function checkLogo(png: Buffer): Logo {
  if (png.length > maxLogoBytes) throw new ApiError('rest_body_too_large', { message: `The logo is larger than ${maxLogoSize}.` });
  const problem = findLogoProblem(png);
  if (problem !== null) throw new ApiError('rest_unsupported_media_type', { message: problem });
  return { sha256: createHash('sha256').update(png).digest('hex'), png };
}

function findLogoProblem(png: Buffer): string | null {
  if (png.length === 0) return 'The file is empty. Send a PNG file.';
  if (!isCompletePng(png)) return 'The file is not a complete PNG file. Its content decides, not its name.';
  // The header is the first chunk of every PNG.
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const isDrawable = [width, height].every((pixels) => pixels >= 1 && pixels <= maxPixels);
  return isDrawable ? null : `The logo has ${width} × ${height} pixels. At most ${maxPixels} × ${maxPixels} are allowed.`;
}
