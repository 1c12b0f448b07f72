// The two files that operators load into Prometheus and Grafana, as the tests read them.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Alert {
  alert: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: { summary?: string; description?: string };
}

export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: Place;
  datasource?: { type: string; uid: string };
  targets?: { refId: string; expr: string; legendFormat: string; datasource: { uid: string } }[];
}

interface Dashboard {
  uid: string;
  title: string;
  schemaVersion: number;
  time: { from: string; to: string };
  panels: Panel[];
  templating: { list: { name: string; type: string; query: unknown }[] };
}

/** The parser that Redocly reads the contract with. */
const { load: parseYaml } = createRequire(createRequire(import.meta.url).resolve('@redocly/cli/package.json'))('js-yaml') as {
  load(text: string): unknown;
};
export const alerts = (parseYaml(readFileSync('docs/operations/alerts.yml', 'utf8')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
export const dashboard = JSON.parse(readFileSync('docs/operations/grafana-dashboard.json', 'utf8')) as Dashboard;
/** What is no heading. */
export const charts = dashboard.panels.filter(({ type }) => type !== 'row');
