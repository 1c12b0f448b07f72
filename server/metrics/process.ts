import { readdirSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { counter, type Family, gauge, ofThisProcess } from './family.ts';

/** What the machine would like to know of this process, under the names that dashboards for Node expect. */
export class ProcessMeter {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });
  readonly #startedAt = Date.now() / 1000 - process.uptime();

  constructor() {
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  families(): Family[] {
    return [...this.#resources(), ...memory(), ...this.#lag()].map(ofThisProcess);
  }

  #resources(): Family[] {
    const { user, system } = process.cpuUsage();
    const files = openFiles();
    return [
      counter({ name: 'process_cpu_seconds_total', help: 'Seconds of processor time.' }, [{ labels: {}, value: (user + system) / 1e6 }]),
      gauge({ name: 'process_start_time_seconds', help: 'When it was started, in seconds since 1970.' }, this.#startedAt),
      ...(files === null ? [] : [gauge({ name: 'process_open_fds', help: 'Open files and sockets.' }, files)]),
      gauge(
        { name: 'nodejs_active_resources', help: 'What keeps the process busy: timers, sockets, requests to the system.' },
        process.getActiveResourcesInfo().length,
      ),
    ];
  }

  /** Of the time since it was last asked for. */
  #lag(): Family[] {
    const { mean, max } = this.#delay;
    const p99 = this.#delay.percentile(99);
    this.#delay.reset();
    const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
    return [
      gauge(
        { name: 'nodejs_eventloop_lag_mean_seconds', help: 'How late timers have been since the last scrape, on average.' },
        seconds(mean),
      ),
      gauge({ name: 'nodejs_eventloop_lag_p99_seconds', help: 'The same, the 99th percentile.' }, seconds(p99)),
      gauge({ name: 'nodejs_eventloop_lag_max_seconds', help: 'The same, the maximum.' }, seconds(max)),
    ];
  }
}

function memory(): Family[] {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  return [
    gauge({ name: 'process_resident_memory_bytes', help: 'Memory that the process holds.' }, rss),
    gauge({ name: 'nodejs_heap_size_total_bytes', help: 'Size of the JavaScript heap.' }, heapTotal),
    gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Used part of the JavaScript heap.' }, heapUsed),
    gauge({ name: 'nodejs_external_memory_bytes', help: 'Memory of buffers outside the heap.' }, external),
  ];
}

/** Null where the system does not tell. */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}
