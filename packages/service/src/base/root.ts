/**
 * The build's output folder, which holds every file that the program reads beside its code. When run from the sources it is
 * the project's `dist`; in a built program the chunks are one folder below it.
 */
export const BUILT = new URL(import.meta.url.endsWith('.ts') ? '../../../../dist/' : '../', import.meta.url)
