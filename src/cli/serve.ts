import { serve as serveNode } from '../service/serve.ts'
import type { Run } from './definition.ts'

export const serve: Run = (given) => serveNode(given.text('role'))
