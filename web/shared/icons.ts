/** The path of each icon, drawn with lines in a square of 24. Those that only the console has are in web/console/icons.ts. */
export const iconShapes = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  sun: 'M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4M12 8a4 4 0 100 8 4 4 0 000-8z',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  key: 'M13 12a4 4 0 108 0 4 4 0 00-8 0zM13 12H3v4M7 12v3',
  link: 'M10 14a4 4 0 005.7 0l3-3a4 4 0 00-5.7-5.7l-1 1M14 10a4 4 0 00-5.7 0l-3 3a4 4 0 005.7 5.7l1-1',
} as const;
