// The alerts and the dashboard that operators load into Prometheus and Grafana.

import { readFileSync } from 'node:fs';
import { parseYaml } from '../support/yaml.ts';

interface Alert {
  alert: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: { summary?: string; description?: string };
}

export interface GridPosition {
  x: number;
  y: number;
  w: number;
  h: number;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: GridPosition;
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

export const alerts = (parseYaml(readFileSync('docs/operations/alerts.yml', 'utf8')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
export const dashboard = JSON.parse(readFileSync('docs/operations/grafana-dashboard.json', 'utf8')) as Dashboard;
/** Panels except row headings. */
export const charts = dashboard.panels.filter(({ type }) => type !== 'row');
