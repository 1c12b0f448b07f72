import pg, { type ClientConfig } from 'pg';

/**
 * A connection that breaks says so to whoever asks on it next. It also says so at once, to nobody in particular; where nobody listens at
 * that moment, between two who have it, that would end the process.
 */
export class Client extends pg.Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}
