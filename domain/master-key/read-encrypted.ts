import type { EncryptedKind, EncryptedText, MasterKeyRepository } from './repository.ts';

/** Payout files are large. */
const pageSize = 50;

/** Reads page by page: there may be as many secrets as affiliates. */
export async function* readEncrypted(
  masterKeys: Pick<MasterKeyRepository, 'encrypted'>,
  kind: EncryptedKind,
): AsyncGenerator<EncryptedText, void, undefined> {
  for (let after: EncryptedText['id'] | null = null; ; ) {
    const page: EncryptedText[] = await masterKeys.encrypted(kind, after, pageSize);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}
