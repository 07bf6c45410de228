// Importing undici makes its dispatcher that of Node's own fetch, unless that was used before; the RPC client of the official
// packages sends a header that it refuses. Import this first.
void fetch('data:,').catch(() => {})
