/**
 * The folder of the project, or of the installed package; everything read beside the program is found from here. The build puts
 * its chunks as deep below it as this file is.
 */
export const ROOT = new URL('../../../../', import.meta.url)
