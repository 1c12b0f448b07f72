import type { Engine } from '../support/engines.ts';

/** Something that was heard, and where. */
export interface Heard {
  where: string;
  text: string;
}

/** A secret under the name of what it is. */
export type Canaries = Map<string, string>;

/** The same secret as it could stand in a text: as it is, for JSON, for a URL, packed. */
const disguises = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replaceAll('=', ''),
  Buffer.from(secret).toString('hex'),
  [...secret].toReversed().join(''),
];

/** Every place in which a secret was found: `the token of boss in POST /keys`. */
export function found(canaries: Canaries, heard: readonly Heard[]): string[] {
  const places = new Set<string>();
  for (const [name, secret] of canaries)
    for (const disguise of new Set(disguises(secret)))
      for (const { where, text } of heard) if (text.includes(disguise)) places.add(`${name} in ${where}`);
  return [...places];
}

const stored: Record<string, string> = {
  'hash of key': 'select hash as secret from api_keys',
  'hash of application password': 'select hash as secret from app_passwords',
  'hash of password': 'select password_hash as secret from users where password_hash is not null',
  'hash of session': 'select hash as secret from sessions',
  'sealed webhook secret': 'select encrypted_secret as secret from webhooks',
  'sealed payout details': 'select encrypted_details as secret from payout_details',
};

/** Stored hashes and ciphertexts must not leak either. */
export async function storedCanaries(engine: Engine, url: string): Promise<Canaries> {
  const canaries: Canaries = new Map();
  const observer = await engine.observe(url);
  for (const [name, sql] of Object.entries(stored)) {
    const rows = await observer.query<{ secret: string | Buffer }>(sql);
    if (rows.length === 0) throw new Error(`There is no ${name} to look for.`);
    for (const [at, { secret }] of rows.entries()) canaries.set(`${name} ${at + 1}`, String(secret));
  }
  return canaries;
}
