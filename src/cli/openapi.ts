import { openApiText } from '../contract/openapi.ts'
import { FORMULAS_VERSION } from '../engine/constants.ts'
import type { Run } from './definition.ts'

/** The document as served and as checked in. */
export const OPENAPI_TEXT = openApiText({ formulasVersion: FORMULAS_VERSION })

export const openapi: Run = async (_, io) => io.result(OPENAPI_TEXT)
