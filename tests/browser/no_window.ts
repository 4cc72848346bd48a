// What the pages' modules ask of a window when they are loaded, for tests that have none. Import it before them.
const nobody = { matches: false, addEventListener: () => {} };
Object.assign(globalThis, { matchMedia: () => nobody, addEventListener: () => {},
  document: { documentElement: { dataset: {}, classList: { toggle: () => {} } } } });
