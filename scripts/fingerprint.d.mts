export function fingerprintOf(change?: (path: string, text: string) => string): Promise<string>
