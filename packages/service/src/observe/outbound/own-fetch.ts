// If undici is imported before Node has loaded its own copy, its dispatcher becomes that of Node's fetch, which then refuses
// a header of the official packages' requests. Import this file before undici: it loads Node's copy.
Reflect.get(globalThis, 'Headers')
