import type { EntityManager } from 'typeorm';
import type { CredentialRepository, HeldCredential } from '../../domain/users/credential.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { jsonRows, jsonTable } from '../sql/insert.ts';

// By hand: one statement for the credentials of all open streams, several times a second.

export const credentialRepository = (manager: EntityManager): CredentialRepository => ({
  findWithdrawn: async (credentials, now, today) => {
    if (credentials.length === 0) return [];
    const rows: { place: unknown }[] = await manager.query(withdrawn(manager), [...jsonRows(credentials.map(toRow)), now, today]);
    return rows.map(({ place }) => toSafeInteger(place));
  },
});

const toRow = ({ userId, role, keyId, appPasswordId, sessionHash }: HeldCredential, place: number): unknown[] => [
  place,
  userId,
  role,
  keyId,
  appPasswordId,
  sessionHash,
];

const columns = { place: 'bigint', user_id: 'bigint', role: 'text', key_id: 'bigint', password_id: 'bigint', session: 'text' } as const;

const withdrawn = (manager: EntityManager): string => `
  select held.place as place from ${jsonTable(manager, columns)} as held
  where not exists (select 1 from users where id = held.user_id and role = held.role and disabled_at is null)
    or (held.session is not null
      and not exists (select 1 from sessions where hash = held.session and expires_at > $2))
    or (held.key_id is not null
      and not exists (select 1 from api_keys where id = held.key_id and revoked_at is null and (expires_day is null or expires_day >= $3)))
    or (held.password_id is not null
      and not exists (select 1 from app_passwords where id = held.password_id and (expires_day is null or expires_day >= $3)))`;
