/** How clients find and sign in to the local tables and blobs. */

/** Azurite's account and key, published by Microsoft and the same everywhere; they protect nothing. */
const account = {
  name: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** Returns the URL of a storage service at a port of this machine. */
export function endpointAt(port: number): string {
  return `http://127.0.0.1:${port}/${account.name}`;
}

/** Composes the connection string of an emulator at an endpoint, for example one behind a proxy. */
export function connectionString(endpoint: string): string {
  return `DefaultEndpointsProtocol=http;AccountName=${account.name};AccountKey=${account.key};TableEndpoint=${endpoint};`;
}

/** Composes the connection string of the blobs at an endpoint. */
export function blobConnectionString(endpoint: string): string {
  return `DefaultEndpointsProtocol=http;AccountName=${account.name};AccountKey=${account.key};BlobEndpoint=${endpoint};`;
}
