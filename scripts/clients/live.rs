//! Creates a link with the generated client: live ADDRESS KEY

use openapi::{
    apis::{configuration::Configuration, links_api::v1_create_link},
    models::CreateLinkInput,
};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (base_path, key) = (arguments.next().unwrap(), arguments.next());
    let configuration = Configuration { base_path, bearer_access_token: key, ..Configuration::default() };
    let input = CreateLinkInput::new("https://bücher.example/".to_owned());
    let link = v1_create_link(&configuration, input, None).await.unwrap();
    assert_eq!(link.destination_url, "https://xn--bcher-kva.example/");
}
