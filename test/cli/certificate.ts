import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

// Node cannot create certificates, so the few bytes of DER are written here.

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (moment: number): Buffer => der(0x17, Buffer.from(new Date(moment).toISOString().replaceAll(/^20|[-T:]|\.\d+/g, '')));

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const localhost = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('localhost')))));

const newKeys = (): { publicKey: KeyObject; privateKey: KeyObject } => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

export const newPrivateKey = (): string => pemOf(newKeys().privateKey);

/** A self-signed certificate for localhost and its private key; both PEM. */
export function certificate({ from, to }: { from: number; to: number }): { cert: string; key: string } {
  const { publicKey, privateKey } = newKeys();
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Buffer.from([1]));
  const signed = sequence(serial, ecdsaWithSha256, localhost, sequence(time(from), time(to)), localhost, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
  const base64 = sequence(signed, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return { cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'), key: pemOf(privateKey) };
}
