// What the examples of the docs leave to their reader.
declare const priorShipmentUid: string;
declare const apiUrl: string;
declare const authUrl: string;
declare const clientId: string;
declare const clientSecret: string;
declare function tryAnotherPickUpPoint(): void;
