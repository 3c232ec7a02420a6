//! Databases with all tables and no rows, which tests begin with copies of: to copy one takes a tenth of the time of all
//! migrations. There is one of each kind for a build of the tests, made by the test that needs it first.

use std::{
    env::current_exe,
    hash::BuildHasher,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    time::Duration,
};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, QueryResult, Statement};
use uuid::Uuid;

/// Serialises the tests, which are processes, that look for the template of PostgreSQL.
const LOCK: i64 = 0x6c67_7465_6d70;
/// Lets one test at a time drop databases.
const DROPPING: i64 = 0x6c67_6472_6f70;

/// The name of this build's templates.
fn name() -> String {
    let binary = current_exe().unwrap();
    let built = binary.metadata().unwrap();
    let hasher = foldhash::fast::FixedState::default();
    let build = (binary, built.len(), built.mtime(), built.mtime_nsec());
    format!("linkgraph_template_{:016x}", hasher.hash_one(build))
}

async fn one_connection(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false).idle_timeout(None).max_lifetime(None);
    Database::connect(options).await.unwrap()
}

/// Deletes what builds of earlier days left.
fn delete_old(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let age = entry.metadata().ok().and_then(|it| it.modified().ok()?.elapsed().ok());
        let is_database = entry.path().extension().is_some_and(|extension| extension == "db");
        if is_database && age.is_some_and(|age| age > Duration::from_secs(86_400)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Makes the file a copy of the template.
pub(crate) fn copy_sqlite(file: &Path) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let template = folder.join(format!("{}.db", name()));
    if !template.exists() {
        delete_old(folder);
        let made = folder.join(format!("{}.db", Uuid::now_v7()));
        // The caller may run in a runtime already, which can't wait for another one on its own thread.
        let migrate = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let connection = one_connection(&format!("sqlite://{}?mode=rwc", made.display())).await;
                connection.execute_unprepared("PRAGMA journal_mode = WAL").await.unwrap();
                migration::up(&connection, None).await.unwrap();
                connection.close().await.unwrap();
            });
        };
        std::thread::scope(|scope| scope.spawn(migrate).join().unwrap());
        std::fs::set_permissions(&made, PermissionsExt::from_mode(0o600)).unwrap();
        // Whichever process is the last: they are the same.
        std::fs::rename(made, &template).unwrap();
    }
    std::fs::copy(&template, file).unwrap();
}

/// The server's URL without a database, and that of the database in which it is administered.
fn server() -> (String, String) {
    let admin = std::env::var("LINKGRAPH_TEST_POSTGRES_URL")
        .expect("LINKGRAPH_TEST_POSTGRES_URL is not set: run the tests by scripts/test");
    let (server, _) = admin.rsplit_once('/').unwrap();
    (server.to_owned(), admin)
}

/// Makes a database without tables for the test that has this folder, and answers its URL.
pub(crate) async fn empty_postgres(folder: &Path) -> String {
    let (server, admin) = server();
    let connection = one_connection(&admin).await;
    let database = database_of(folder);
    create(&connection, &database, "template1").await;
    connection.close().await.unwrap();
    format!("{server}/{database}")
}

/// Makes a database that is a copy of the template for the test that has this folder, and answers its URL.
pub(crate) async fn copy_postgres(folder: &Path) -> String {
    let (server, admin) = server();
    let connection = one_connection(&admin).await;
    let database = database_of(folder);
    let execute = async |sql: String| connection.execute_unprepared(&sql).await.unwrap();
    let template = name();
    let is_there = async || {
        let sql = format!("SELECT datistemplate FROM pg_database WHERE datname = '{template}'");
        rows(&connection, &sql).await.first().map(|row| row.try_get_by_index::<bool>(0).unwrap())
    };
    if is_there().await != Some(true) {
        execute(format!("SELECT pg_advisory_lock({LOCK})")).await;
        let found = is_there().await;
        if found != Some(true) {
            if found.is_some() {
                // A process that was killed has left it.
                execute(format!("DROP DATABASE {template} WITH (FORCE)")).await;
            }
            execute(format!("CREATE DATABASE {template}")).await;
            let inside = one_connection(&format!("{server}/{template}")).await;
            migration::up(&inside, None).await.unwrap();
            inside.close().await.unwrap();
            execute(format!("ALTER DATABASE {template} IS_TEMPLATE true")).await;
        }
        execute(format!("SELECT pg_advisory_unlock({LOCK})")).await;
    }
    create(&connection, &database, &template).await;
    connection.close().await.unwrap();
    format!("{server}/{database}")
}

/// Copies the template's files, which takes half the processor time of copying through the write-ahead log (14 ms instead of 30),
/// and leaves no gigabytes of it.
async fn create(connection: &DatabaseConnection, database: &str, template: &str) {
    drop_ended(connection).await;
    // PostgreSQL before version 15 always copies files, and does not know the option.
    let version: i32 =
        rows(connection, "SELECT current_setting('server_version_num')::integer").await[0].try_get_by_index(0).unwrap();
    let strategy = if version < 150_000 { "" } else { "STRATEGY file_copy" };
    let sql = format!("CREATE DATABASE {database} TEMPLATE {template} {strategy}");
    connection.execute_unprepared(&sql).await.unwrap();
}

/// The name of a test's database: that of its folder, as PostgreSQL writes names.
fn database_of(folder: &Path) -> String {
    folder.file_name().unwrap().to_str().unwrap().replace('-', "_")
}

/// Drops the databases of tests that have ended, whose folders are gone: those of all tests would take six gigabytes of memory.
async fn drop_ended(connection: &DatabaseConnection) {
    // The lock lasts until this connection is closed. One test drops them, the others go on.
    let lock = format!("SELECT pg_try_advisory_lock({DROPPING})");
    if !rows(connection, &lock).await[0].try_get_by_index::<bool>(0).unwrap() {
        return;
    }
    for row in rows(connection, r"SELECT datname::text FROM pg_database WHERE datname LIKE 'linkgraph\_test\_%'").await
    {
        let database: String = row.try_get_by_index(0).unwrap();
        if !std::env::temp_dir().join(database.replace('_', "-")).exists() {
            connection.execute_unprepared(&format!("DROP DATABASE {database} WITH (FORCE)")).await.unwrap();
        }
    }
}

async fn rows(connection: &DatabaseConnection, sql: &str) -> Vec<QueryResult> {
    connection.query_all_raw(Statement::from_string(connection.get_database_backend(), sql)).await.unwrap()
}
