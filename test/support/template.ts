// The name of the database that every test database is cloned from.
export const TEMPLATE_DATABASE = 'lockerflow_template';
