/**
 * The folder of what the build made, in which everything is that the program reads beside its code. From the sources it is `dist` of
 * the project; in a built program the build's chunks are one folder below it.
 */
export const BUILT = new URL(import.meta.url.endsWith('.ts') ? '../../../../dist/' : '../', import.meta.url)
