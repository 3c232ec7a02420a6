// The address of the service and an API key of it: live.js ADDRESS KEY
declare const process: { argv: string[] };

export const [address, key] = process.argv.slice(2);
