/** The metrics and labels that a PromQL expression needs. */
export interface PromqlNeeds {
  metrics: Map<string, Matcher[]>;
  /** Labels of `by (…)`, `on (…)` and the like. */
  groupedBy: string[];
}

export interface Matcher {
  label: string;
  operator: string;
  value: string;
}

const words = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right', 'or', 'and', 'unless', 'bool', 'offset']);
const grouping = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const matcher = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
/** A name that is neither a function nor a keyword, and its braces. */
const selector = /(?<![\w.])([a-zA-Z_:][\w:]*)(?!\w)\s*(\{[^}]*\})?(?!\s*\()/g;

const namesIn = (list: string): string[] => list.split(',').flatMap((name) => name.trim() || []);

export function parsePromql(expression: string): PromqlNeeds {
  const groupedBy = [...expression.matchAll(grouping)].flatMap(([, list = '']) => namesIn(list));
  const bare = expression.replaceAll(grouping, ' ').replaceAll(/\[[^\]]*\]/g, ' ');
  const found = [...bare.matchAll(selector)].filter(([, name = '']) => !words.has(name));
  const metrics = new Map<string, Matcher[]>();
  for (const [, name = '', braces = ''] of found) metrics.set(name, [...(metrics.get(name) ?? []), ...matchersIn(braces)]);
  return { metrics, groupedBy };
}

const matchersIn = (braces: string): Matcher[] =>
  [...braces.matchAll(matcher)].map(([, label = '', operator = '', value = '']) => ({ label, operator, value }));
