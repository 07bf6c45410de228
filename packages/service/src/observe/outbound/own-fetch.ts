// Where undici is imported before Node has loaded its own copy of it, its dispatcher becomes that of Node's fetch, which then
// refuses a header of the official packages' requests. Import this before undici: it loads that copy.
Reflect.get(globalThis, 'Headers')
