/** A signed-in browser. Of the cookie's value only the hash is kept. */
export interface Session {
  hash: string;
  userId: number;
  csrfToken: string;
  createdAt: number;
  expiresAt: number;
}
