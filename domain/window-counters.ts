/** Fixed-window counters for rate limits and lock-outs, shared by all processes on one database. */
export interface WindowCounters {
  /** Increments the count. The window lasts `seconds` and starts with its first hit. */
  hit(name: string, seconds: number): WindowCount | Promise<WindowCount>;
  /** Decrements the count of the current window. */
  undoHit(name: string, seconds: number): Promise<void>;
  /** Returns the count without incrementing it. */
  peek(name: string, seconds: number): WindowCount | Promise<WindowCount>;
}

export interface WindowCount {
  count: number;
  /** Seconds until the window ends. */
  secondsLeft: number;
}
