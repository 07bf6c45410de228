import { openApiText } from '../contract/openapi.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import type { Run } from './definition.ts'

export const openapi: Run = async (_, io) => io.result(openApiText({ formulasVersion: FORMULAS_VERSION }))
