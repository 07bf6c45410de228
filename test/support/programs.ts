import { key } from '@ti/core/base/base58.ts'
import { BOOP_TEXT, LAUNCHLAB_TEXT, METEORA_DAMM_TEXT, MOONIT_TEXT } from '@ti/core/model/programs.ts'

export const LAUNCHLAB = key(LAUNCHLAB_TEXT)
export const METEORA_DAMM = key(METEORA_DAMM_TEXT)
export const MOONIT = key(MOONIT_TEXT)
export const BOOP = key(BOOP_TEXT)
