//! Databases with all tables and no rows, which tests begin with copies of: to copy one takes a tenth of the time of all
//! migrations. There is one of each kind for a build of the tests, made by the test that needs it first.

use std::{
    env::current_exe,
    hash::BuildHasher,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    time::Duration,
};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use uuid::Uuid;

/// Serialises the tests, which are processes, that look for the template of PostgreSQL.
const LOCK: i64 = 0x6c67_7465_6d70;

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

/// Makes a database without tables, and answers its URL.
pub(crate) async fn empty_postgres() -> String {
    let (server, admin) = server();
    let connection = one_connection(&admin).await;
    let database = format!("it_{}", Uuid::now_v7().simple());
    connection.execute_unprepared(&format!("CREATE DATABASE {database}")).await.unwrap();
    connection.close().await.unwrap();
    format!("{server}/{database}")
}

/// Makes a database that is a copy of the template, and answers its URL.
pub(crate) async fn copy_postgres() -> String {
    let (server, admin) = server();
    let connection = one_connection(&admin).await;
    let database = format!("it_{}", Uuid::now_v7().simple());
    let execute = async |sql: String| connection.execute_unprepared(&sql).await.unwrap();
    let template = name();
    let is_there = async || {
        let sql = format!("SELECT datistemplate FROM pg_database WHERE datname = '{template}'");
        let row =
            connection.query_one_raw(Statement::from_string(connection.get_database_backend(), sql)).await.unwrap();
        row.map(|row| row.try_get_by_index::<bool>(0).unwrap())
    };
    if is_there().await != Some(true) {
        execute(format!("SELECT pg_advisory_lock({LOCK})")).await;
        let found = is_there().await;
        if found != Some(true) {
            if found.is_some() {
                // Of a process that was killed.
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
    execute(format!("CREATE DATABASE {database} TEMPLATE {template}")).await;
    connection.close().await.unwrap();
    format!("{server}/{database}")
}
