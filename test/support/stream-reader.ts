import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { waitUntil } from '../cli/running-service.ts';

export interface ReceivedEvent {
  id: number;
  event: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

export interface StreamRequest {
  headers?: Record<string, string>;
  /** `?cursor=0`. */
  query?: string;
  /** Stops reading with the first event, until `resume`. */
  isPaused?: boolean;
}

/** Reads GET /events/stream as the standard of server-sent events says, and no other way than its text. */
export class StreamReader {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: ReceivedEvent[] = [];
  /** Everything that was received. */
  text = '';
  comments = 0;
  retry = 0;
  lastEventId = '';
  isOver = false;
  onEvent: (event: ReceivedEvent) => void = () => {};
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  #unparsed = '';

  private constructor(outgoing: ClientRequest, response: IncomingMessage, isPaused: boolean) {
    this.#request = outgoing;
    this.#response = response;
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('error', () => {});
    response.on('close', () => {
      this.isOver = true;
    });
    if (!isPaused) this.resume();
  }

  static open(origin: string, { headers = {}, query = '', isPaused = false }: StreamRequest = {}): Promise<StreamReader> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${origin}/api/v2/events/stream${query}`, { headers, agent: false }, (response) =>
        resolve(new StreamReader(outgoing, response, isPaused)),
      );
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** Of an error. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async body(): Promise<any> {
    await this.over();
    return JSON.parse(this.text);
  }

  get ids(): number[] {
    return this.events.map(({ id }) => id);
  }

  resume(): void {
    this.#response.on('data', (text: string) => this.#parse(text));
  }

  close(): void {
    this.#request.destroy();
  }

  over(deadlineMs = 5000): Promise<void> {
    return waitUntil(deadlineMs, async () => this.isOver);
  }

  /** Resolves with the events as soon as there are that many. */
  async received(count: number, deadlineMs = 5000): Promise<ReceivedEvent[]> {
    await waitUntil(deadlineMs, async () => this.events.length >= count).catch((error: unknown) => {
      throw new Error(`${this.events.length} of ${count} events were received: ${this.ids.join(', ')}`, { cause: error });
    });
    return this.events;
  }

  /** Resolves when the stream has said where it begins. */
  async begun(): Promise<this> {
    await waitUntil(5000, async () => this.lastEventId !== '');
    return this;
  }

  #parse(text: string): void {
    this.text += text;
    this.#unparsed += text;
    for (let end = this.#unparsed.indexOf('\n\n'); end >= 0; end = this.#unparsed.indexOf('\n\n')) {
      this.#readBlock(this.#unparsed.slice(0, end).split('\n'));
      this.#unparsed = this.#unparsed.slice(end + 2);
    }
  }

  #readBlock(lines: readonly string[]): void {
    const fields: Record<string, string> = {};
    for (const line of lines) {
      const [name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line)?.slice(1) ?? [];
      if (name === '') this.comments += 1;
      else fields[name] = value;
    }
    this.retry = Number(fields['retry'] ?? this.retry);
    this.lastEventId = fields['id'] ?? this.lastEventId;
    if (fields['data'] === undefined) return;
    const event = { id: Number(this.lastEventId), event: fields['event'] ?? '', data: JSON.parse(fields['data']) };
    this.events.push(event);
    this.onEvent(event);
  }
}
