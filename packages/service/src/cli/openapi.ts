import { openApiText } from '@ti/core/contract/openapi.ts'
import { FORMULAS_VERSION } from '@ti/core/engine/constants.ts'
import type { Run } from './definition.ts'

export const openapi: Run = async (_, io) => io.result(openApiText({ formulasVersion: FORMULAS_VERSION }))
