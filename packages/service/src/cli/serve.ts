import type { Run } from './definition.ts'

export const serve: Run = async (given) => {
  // loading the service takes long enough to need a message first
  process.stdout.write('Token Intelligence is starting\n')
  const { serve: serveNode } = await import('../service/serve.ts')
  return serveNode(given.text('role'), given.has('production'))
}
